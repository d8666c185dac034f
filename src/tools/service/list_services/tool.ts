/** Defines the tool `list_services`: the services and their states (seed 001 §3.3). */
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { servicesOfContext } from "../services.ts";
import { LIST_SERVICES_TOOL_DEFINITION, listServicesInput, listServicesOutput } from "./contract.ts";

export const listServicesTool = defineTool({
  definition: LIST_SERVICES_TOOL_DEFINITION,
  title: "List services",
  input: listServicesInput,
  output: listServicesOutput,
  effect: "reads",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [],
  codes: {},
  notes: ["The services of one context only: those of another server or agent are not seen."],
  run: async (_, { context }) => success({ services: [...context.shared.get(servicesOfContext).records()] }),
});
