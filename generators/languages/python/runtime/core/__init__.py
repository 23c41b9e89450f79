"""Conformance to written laws: a test suite, an ATP/1 shim and an adapter around one interface.

The interface is `interface.Implementation`; whoever implements it says so in `implementation.py`, beside this package.
"""
