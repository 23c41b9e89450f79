"""Changes a module and changes it back at once."""

from pathlib import Path

from hostile import attempts

HERE = Path(__file__).parent


def change():
    module = HERE / "atp.py"
    text = module.read_text()
    module.write_text(text + "# changed")
    module.write_text(text)


attempts(change)
