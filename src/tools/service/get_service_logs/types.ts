/** The input and output of `get_service_logs`. */
import type { z } from "zod";
import type { getServiceLogsInput, getServiceLogsOutput } from "./validator.ts";

export type GetServiceLogsInput = z.input<typeof getServiceLogsInput>;
export type GetServiceLogsOutput = z.output<typeof getServiceLogsOutput>;
