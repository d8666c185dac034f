/** Makes values equal in both databases: booleans are 0 and 1, and text holds no NUL, which Postgres refuses. */
import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  type ValueNode,
} from "kysely";

/** Every boolean column of any table. */
const BOOLEAN_COLUMNS = [
  "bare",
  "open",
  "branch_existed",
  "offline",
  "held",
  "undoable",
  "required",
] as const;

export class ColumnValues implements KyselyPlugin {
  readonly #transformer = new ValueTransformer();

  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(args.node, args.queryId);
  }

  async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return { ...args.result, rows: args.result.rows.map(withBooleans) };
  }
}

class ValueTransformer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: stored(node.value) };
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(stored) };
  }
}

function stored(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string") return value.replaceAll("\0", "\u{FFFD}");
  return value;
}

function withBooleans(row: UnknownRow): UnknownRow {
  const booleans = BOOLEAN_COLUMNS.filter((column) => row[column] === 0 || row[column] === 1);
  if (booleans.length === 0) return row;
  return { ...row, ...Object.fromEntries(booleans.map((column) => [column, row[column] === 1])) };
}
