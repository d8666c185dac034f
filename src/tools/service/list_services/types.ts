/** The output of `list_services`. */
import type { z } from "zod";
import type { listServicesOutput } from "./validator.ts";

export type ListServicesOutput = z.output<typeof listServicesOutput>;
