/** Gives every test the time that a busy machine needs, in single files too; files may ask for more. */
import { setDefaultTimeout } from "bun:test";

setDefaultTimeout(150_000);
