"""Hold every call of the library to its annotations, while the tests run.

The annotations of the library are promises about shapes. An import hook wraps every function
of ``softlookup`` so that beartype holds each call to them, arguments and result. Where a call
breaks an annotation and the function itself refuses it in words, the test sees those words:
they are what a reader gets, who runs without the hook.
"""

import dataclasses
import functools
import inspect
import sys
from pathlib import Path

import jaxtyping
from beartype import BeartypeConf, beartype
from beartype.roar import BeartypeCallHintViolation

jaxtyped = jaxtyping.jaxtyped

# How the files of the frames begin that stand, while the tests run, between a function and its
# caller.
FRAMES = (__file__, str(Path(jaxtyping.__file__).parent), "<@beartype(")

# As for mypy: an int is good where a float is asked for.
check_annotations = beartype(conf=BeartypeConf(is_pep484_tower=True))


def enforce(thing=None, *, typechecker=None):
    """Hold a function or dataclass to its annotations, but let its own ValueError speak first."""
    if thing is None:
        return functools.partial(enforce, typechecker=typechecker)
    if inspect.isclass(thing):
        if dataclasses.is_dataclass(thing) and "__init__" in vars(thing):
            thing.__init__ = enforce(thing.__init__, typechecker=typechecker)
        return thing
    checked = jaxtyped(thing, typechecker=typechecker)
    if inspect.isfunction(thing) and not _tells_shapes(thing):
        # What jaxtyping keeps of each call's dimensions takes far longer than the check itself.
        checked = typechecker(thing)
    if not inspect.isfunction(thing):
        return checked

    @functools.wraps(thing)
    def call(*args, **kwargs):
        try:
            return checked(*args, **kwargs)
        except (jaxtyping.TypeCheckError, BeartypeCallHintViolation) as violation:
            refusal = _refusal(thing, args, kwargs)
            raise (refusal or jaxtyping.TypeCheckError(str(violation))) from None

    return call


def _tells_shapes(function):
    """Whether an annotation is of a tensor with its shape, or cannot be seen through."""
    annotations = function.__annotations__.values()
    return any(isinstance(each, str) or "jaxtyping." in repr(each) for each in annotations)


def _refusal(function, args, kwargs):
    """The ValueError with which the function refuses these arguments when nothing is enforced."""
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        function(*args, **kwargs)
    except ValueError as error:
        return error
    except Exception:
        return None
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)
    return None


def install():
    """Enforce the annotations of every part of the library that is imported from now on.

    Raises:
        RuntimeError: if the library was imported before.
    """
    if "softlookup" in sys.modules:
        raise RuntimeError("softlookup was imported before its annotations could be enforced")
    # The hook writes ``@jaxtyping.jaxtyped(...)`` above every function that it imports.
    jaxtyping.jaxtyped = enforce
    jaxtyping.install_import_hook("softlookup", f"{__name__}.check_annotations")
