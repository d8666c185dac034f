/** Holds the options by which a file lists pathspecs. */
import { optionTable, path, safe } from "../../parse/option-spec.ts";

export const PATHSPEC_FILE_OPTIONS = optionTable(
  path("--[no-]pathspec-from-file="),
  safe("--[no-]pathspec-file-nul"),
);
