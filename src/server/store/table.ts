import {
  type ColumnDataType,
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Generated,
  type Kysely,
  type RawBuilder,
  sql,
} from "kysely";

type DataType = ColumnDataType | RawBuilder<unknown>;
type Build = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

/** Column types of a database: an ascending `id` that is never reused, and text that sorts by its octets. */
export interface ColumnTypes {
  readonly id: readonly [type: DataType, definition: Build];
  readonly text: DataType;
}

/** A column: its definition in SQL, and `Type`, that of its values in Kysely. It is required unless it is nullable. */
export interface ColumnDefinition<Type> {
  readonly kind: "id" | "text" | "integer" | "bigint";
  readonly build: Build;
  /** Only for the compiler. */
  readonly type?: Type;
  readonly isNullable: boolean;
  nullable(): ColumnDefinition<Type | null>;
  default(value: string | number): ColumnDefinition<Generated<Type>>;
  unique(): ColumnDefinition<Type>;
  primary(): ColumnDefinition<Type>;
}

function column<Type>(
  kind: ColumnDefinition<Type>["kind"],
  build: Build = (one) => one,
  isNullable = false,
): ColumnDefinition<Type> {
  return {
    kind,
    build,
    isNullable,
    nullable: () => column(kind, build, true),
    default: (value) => column(kind, (one) => build(one).defaultTo(value)),
    unique: () => column(kind, (one) => build(one).unique()),
    primary: () => column(kind, (one) => build(one).primaryKey()),
  };
}

export const id = () => column<Generated<number>>("id");
export const textColumn = <Type extends string = string>() => column<Type>("text");
export const integer = () => column<number>("integer");
export const bigint = () => column<number>("bigint");

/** The id of a row of another table, with which this row is deleted. */
export const referenceColumn = (table: string) =>
  column<number>("bigint", (one) => one.references(`${table}.id`).onDelete("cascade"));

/** The id of a row of another table, which cannot be deleted while this row names it. */
export const linkColumn = (table: string) => column<number>("bigint", (one) => one.references(`${table}.id`));

type Part<Name extends string> = Name | RawBuilder<unknown>;

export interface Index<Name extends string> {
  readonly columns: readonly Part<Name>[];
  readonly isUnique?: true;
  /** A condition in SQL: literals, because parameters do not match a partial index. */
  readonly where?: string;
}

export interface Keys<Name extends string> {
  /** The primary key of a table without `id`, by the name of its constraint. */
  readonly primaryKey?: Readonly<Record<string, readonly Name[]>>;
  readonly unique?: Readonly<Record<string, readonly Name[]>>;
  readonly indexes?: Readonly<Record<string, readonly Part<Name>[] | Index<Name>>>;
}

export interface TableDefinition<Columns> {
  readonly columns: Columns;
  readonly keys: Keys<string>;
}

export function defineTable<Columns extends Record<string, ColumnDefinition<unknown>>>(columns: Columns) {
  const withKeys = (keys: Keys<keyof Columns & string>): TableDefinition<Columns> => ({ columns, keys });
  return { columns, keys: {}, with: withKeys };
}

/** The tables in the form that Kysely knows. */
export type RowsOf<Described> = {
  [Name in keyof Described]: Described[Name] extends TableDefinition<infer Columns>
    ? { [Key in keyof Columns]: Columns[Key] extends ColumnDefinition<infer Type> ? Type : never }
    : never;
};

/** Creates tables in the order in which they are described, with their indexes. */
export async function createTables<Database>(
  { schema }: Kysely<Database>,
  tables: Readonly<Record<string, TableDefinition<Readonly<Record<string, ColumnDefinition<unknown>>>>>>,
  { id, text }: ColumnTypes,
): Promise<void> {
  for (const [name, { columns, keys }] of Object.entries(tables)) {
    const { primaryKey = {}, unique = {}, indexes = {} } = keys;
    let creation: CreateTableBuilder<string, string> = schema.createTable(name);
    for (const [key, { kind, build, isNullable }] of Object.entries(columns)) {
      if (kind === "id") creation = creation.addColumn(key, ...id);
      else {
        const required: Build = (one) => (isNullable ? build(one) : build(one).notNull());
        creation = creation.addColumn(key, kind === "text" ? text : kind, required);
      }
    }
    for (const [key, of] of Object.entries(primaryKey)) creation = creation.addPrimaryKeyConstraint(key, [...of]);
    for (const [key, of] of Object.entries(unique)) creation = creation.addUniqueConstraint(key, [...of]);
    await creation.execute();
    for (const [key, described] of Object.entries(indexes)) {
      const { columns, isUnique, where }: Index<string> = "columns" in described ? described : { columns: described };
      let index = schema.createIndex(key).on(name);
      if (isUnique) index = index.unique();
      for (const part of columns) index = typeof part === "string" ? index.column(part) : index.expression(part);
      if (where !== undefined) index = index.where(sql<boolean>`(${sql.raw(where)})`);
      await index.execute();
    }
  }
}
