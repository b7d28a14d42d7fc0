"""Names: which of PyTorch's names a piece of code speaks of, and where PyTorch documents them.

`listing` asks the installed torch, in a process of its own; `known` keeps its answer; `infer` reads code without
running it. Nothing here but `listing` imports torch.
"""
