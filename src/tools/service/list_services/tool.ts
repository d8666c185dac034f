/** Defines the tool `list_services`: the services and their states (seed 001 §3.3). */
import { success } from "../../core/result.ts";
import { defineTool } from "../../core/tool.ts";
import { servicesOfContext } from "../services.ts";
import { LIST_SERVICES_CONTRACT } from "./contract.ts";

export const listServicesTool = defineTool({
  ...LIST_SERVICES_CONTRACT,
  title: "List services",
  effect: "reads",
  hints: { destructive: false, idempotent: true, openWorld: false },
  paths: [],
  notes: ["The services of one context only: those of another server or agent are not seen."],
  run: async (_, { context }) => success({ services: [...context.shared.get(servicesOfContext).records()] }),
});
