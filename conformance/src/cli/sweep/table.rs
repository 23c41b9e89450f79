//! Parquet, where this build reads and writes it: manifests, and rows when all are there.

use std::{fs::File, path::Path};

use assize::sweep::Row;

use super::{super::CliError, Args};

/// Whether a manifest is a table, by the ending of its name.
pub(super) fn is(manifest: &Path) -> bool {
    manifest.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

pub(super) use built::{Table, lines, ready};

#[cfg(feature = "parquet")]
mod built {
    use std::{
        io::{self, BufWriter, Seek as _},
        path::{self, PathBuf},
    };

    use assize::sweep::Store;
    use assize_tables::Writer;
    use tempfile::NamedTempFile;

    use super::{
        super::super::output,
        {Args, CliError, File, Path, Row},
    };

    /// Refuses a file that could not be written at the end, and one that something else is in: the manifest, or what a sweep keeps.
    pub(in super::super) fn ready(args: &Args) -> Result<(), CliError> {
        let Some(to) = &args.parquet else { return Ok(()) };
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (real_folder, out) = (real(folder), real(&args.out));
        // The folder of results may still have to be made.
        let name = to.file_name().filter(|_| !to.is_dir() && (folder.is_dir() || real_folder == out && !out.exists()));
        let Some(name) = name else {
            let message = format!("{}: no file can be written here", to.display());
            return Err(CliError::unreadable(message, "name a file in a folder that is there"));
        };
        let kept = [Some(out), args.since.as_deref().map(real)].into_iter().flatten();
        let is_kept = kept.into_iter().any(|kept| kept == real_folder && Store::writes(name));
        let is_manifest = args
            .manifest
            .as_deref()
            .map(real)
            .is_some_and(|manifest| manifest == real_folder.join(name) || manifest == real(to));
        if is_kept || is_manifest {
            let what = if is_manifest { "the manifest" } else { "a file of the sweep" };
            let message = format!("{}: is {what}, which a table would replace", to.display());
            return Err(CliError::unreadable(message, "name another file with --parquet"));
        }
        Ok(())
    }

    /// A path without links, where it leads somewhere, and from the top.
    fn real(path: &Path) -> PathBuf {
        path.canonicalize().or_else(|_| path::absolute(path)).unwrap_or_else(|_| path.to_path_buf())
    }

    /// The rows of a table as lines, in a file that goes with this process.
    pub(in super::super) fn lines(manifest: &Path) -> Result<File, CliError> {
        let laid = || {
            let mut lines = BufWriter::new(tempfile::tempfile()?);
            assize_tables::lines(File::open(manifest)?, &mut lines)?;
            let mut lines = lines.into_inner().map_err(io::IntoInnerError::into_error)?;
            lines.rewind()?;
            Ok(lines)
        };
        laid().map_err(|error: io::Error| {
            let message = format!("{}: cannot be read as a manifest: {error}", manifest.display());
            CliError::unreadable(message, "its columns are kind, path, path2 for pairs, and options")
        })
    }

    /// Rows on their way to a file, which is there when all are in it.
    pub(in super::super) struct Table(Option<Writing>);

    struct Writing {
        to: PathBuf,
        /// Into a file beside it, which takes its place.
        writer: Writer<NamedTempFile>,
        /// What went wrong first.
        failed: Option<io::Error>,
    }

    impl Table {
        pub(in super::super) fn new(args: &Args) -> Result<Self, CliError> {
            let Some(to) = args.parquet.clone() else { return Ok(Self(None)) };
            let writer = Writer::new(output::temporary(&to)?).map_err(|error| unwritten(&to, &error))?;
            Ok(Self(Some(Writing { to, writer, failed: None })))
        }

        pub(in super::super) fn add(&mut self, row: &Row) {
            if let Self(Some(Writing { writer, failed: failed @ None, .. })) = self {
                let row = serde_json::to_value(row).map_err(io::Error::other);
                *failed = row.and_then(|row| writer.row(&row)).err();
            }
        }

        pub(in super::super) fn finish(self) -> Result<(), CliError> {
            let Self(Some(Writing { to, writer, failed })) = self else { return Ok(()) };
            let written = failed.map_or(Ok(()), Err).and_then(|()| {
                let file = writer.finish()?;
                file.as_file().sync_all()?;
                file.persist(&to).map(drop).map_err(|error| error.error)
            });
            written.map_err(|error| unwritten(&to, &error))
        }
    }

    fn unwritten(to: &Path, error: &io::Error) -> CliError {
        let message = format!("{}: cannot be written: {error}", to.display());
        CliError::unreadable(message, "check the folder, and the space there; the same command writes it anew")
    }
}

#[cfg(not(feature = "parquet"))]
mod built {
    use super::{Args, CliError, File, Path, Row};

    fn without(path: &Path, what: &str) -> CliError {
        CliError::usage(
            format!("{} is not {what}: this command was built without the feature parquet", path.display()),
            "build it with the feature: cargo install --path conformance --features parquet",
        )
    }

    /// Refuses to write a table.
    pub(in super::super) fn ready(args: &Args) -> Result<(), CliError> {
        args.parquet.as_ref().map_or(Ok(()), |path| Err(without(path, "written")))
    }

    /// Refuses to read one.
    pub(in super::super) fn lines(manifest: &Path) -> Result<File, CliError> {
        Err(without(manifest, "read"))
    }

    /// No table.
    pub(in super::super) struct Table;

    impl Table {
        pub(in super::super) fn new(_: &Args) -> Result<Self, CliError> {
            Ok(Self)
        }

        pub(in super::super) fn add(&mut self, _: &Row) {}

        pub(in super::super) fn finish(self) -> Result<(), CliError> {
            Ok(())
        }
    }
}
