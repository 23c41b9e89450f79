# Readers of JSON in Elixir as testees: `elixir read.exs LIBRARY VERSION`, beside copies of `atp.ex` and `canonical.ex`. They read
# the text themselves, so that input is text.

Code.require_file("atp.ex", __DIR__)
Code.require_file("canonical.ex", __DIR__)

[library, packaged] = System.argv()
# A package of Debian has a revision of its own behind a hyphen.
[version | _] = String.split(packaged, "-")

# How each is asked: a value, or the code with which it refuses.
read =
  case library do
    "jiffy" ->
      fn text ->
        try do
          {:ok, :jiffy.decode(text, [:return_maps])}
        catch
          :error, {:range, _} -> {:error, "A_VALUE"}
          :error, {place, reason} when is_integer(place) and is_atom(reason) -> {:error, "A_JSON"}
        end
      end
  end

Application.load(String.to_atom(library))
installed = to_string(Application.spec(String.to_atom(library), :vsn))
if not String.starts_with?(installed <> ".", version <> "."), do: raise("#{library} is #{installed}, not #{version}")

Canonical.reader(library, installed, read)
