/** Gives every test the time that a busy machine needs, also where one file is run by hand; files may ask for more. */
import { setDefaultTimeout } from "bun:test";

setDefaultTimeout(60_000);
