"""Raises the limits that it was given."""

import resource

from hostile import attempts


def unlimited():
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_NPROC):
        resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


attempts(unlimited)
