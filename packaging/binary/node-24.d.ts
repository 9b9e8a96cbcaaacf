// The calls of Node 24 that the single executable makes; the declarations of the project's packages are of Node 20.

declare module "node:sea" {
  export function getAsset(name: string, encoding: "utf8"): string;
  export function getAssetKeys(): string[];
}

declare module "node:sqlite" {
  export type SQLInputValue = null | number | bigint | string | Uint8Array;

  export class DatabaseSync {
    constructor(path: string, options: { timeout: number; enableForeignKeyConstraints: boolean });
    readonly isOpen: boolean;
    readonly isTransaction: boolean;
    exec(sql: string): void;
    prepare(sql: string): StatementSync;
    close(): void;
  }

  export interface StatementSync {
    columns(): { name: string }[];
    setReturnArrays(enabled: boolean): void;
    get(...values: SQLInputValue[]): unknown;
    all(...values: SQLInputValue[]): unknown[];
    run(...values: SQLInputValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  }
}
