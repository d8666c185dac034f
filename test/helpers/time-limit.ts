/** Gives every test the time that a busy machine needs, also if a file runs alone; files may ask for more. */
import { setDefaultTimeout } from "bun:test";

setDefaultTimeout(60_000);
