# The reader of the protocol's own frames, behind the writer that readers share.

Code.require_file("atp.ex", __DIR__)
Code.require_file("canonical.ex", __DIR__)

Canonical.reader("frames", "known", fn text ->
  try do
    {:ok, Atp.read(text)}
  rescue
    Atp.BadFrame -> {:error, "A_JSON"}
  end
end)
