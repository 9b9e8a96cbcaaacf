import { unzipSync } from "fflate";
import * as z from "zod";
import { type ProblemError, problemError } from "../diagnostics/problem.ts";
import type { GitHub } from "./client.ts";
import { type Repository, repositoryApiPath } from "./repository.ts";

const artifact = z.object({
  id: z.int(),
  name: z.string(),
  size_in_bytes: z.int(),
  expired: z.boolean(),
  created_at: z.string().nullish(),
  workflow_run: z
    .object({
      id: z.int().optional(),
      repository_id: z.int().optional(),
      head_repository_id: z.int().optional(),
      head_sha: z.string().optional(),
    })
    .nullish(),
});

/** An artifact of a workflow. */
export type Artifact = z.output<typeof artifact>;

/** At most 200 artifacts of a name are looked at; the newest are the first. */
const mostPages = 2;

/** The most octets of an artifact, and of the file in it: a plan of 100,000 changes is smaller. */
const maxZip = 32 * 1024 * 1024;
const maxFile = 128 * 1024 * 1024;

const readArtifacts = "actions: read";

/** The artifacts of a name in a repository, the newest first; expired ones and those of forks are among them. */
export async function findArtifacts(github: GitHub, repository: Repository, name: string): Promise<Artifact[]> {
  const path = repositoryApiPath(repository, "actions", "artifacts");
  const list = z.object({ artifacts: z.array(artifact) }).transform(({ artifacts }) => artifacts);
  const found: Artifact[] = [];
  for await (const page of github.pages({ path, query: { name }, reply: list, needs: readArtifacts }, mostPages))
    found.push(...page);
  return found.filter((one) => one.name === name).sort((a, b) => b.id - a.id);
}

/**
 * The text of a file in an artifact. All other names in the zip are ignored, nothing is written to the disk, and the
 * sizes are bounded before and while it is unpacked. @throws {ProblemError} `approval/artifact`
 */
export async function readArtifact(
  github: GitHub,
  repository: Repository,
  { id, size_in_bytes }: Artifact,
  file: string,
): Promise<string> {
  if (size_in_bytes > maxZip) throw artifactError(id, `is larger than ${maxZip} octets`);
  const path = repositoryApiPath(repository, "actions", "artifacts", id, "zip");
  const zip = await github.download({ path, needs: readArtifacts });
  if (zip.length > maxZip) throw artifactError(id, `is larger than ${maxZip} octets`);
  return unzipFile(zip, file, id);
}

function unzipFile(zip: Uint8Array, file: string, id: number): string {
  let entries = 0;
  let size = 0;
  let content: Uint8Array | undefined;
  try {
    const files = unzipSync(zip, {
      filter: ({ name, originalSize }) => {
        if (name !== file) return false;
        entries++;
        size = originalSize;
        return originalSize <= maxFile && entries === 1;
      },
    });
    content = files[file];
  } catch {
    throw artifactError(id, "is not a zip that can be read");
  }
  if (entries === 0) throw artifactError(id, `does not contain ${file}`);
  if (entries > 1) throw artifactError(id, `contains ${file} more than once`);
  if (size > maxFile) throw artifactError(id, `contains a ${file} of more than ${maxFile} octets`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw artifactError(id, `contains a ${file} that is not UTF-8`);
  }
}

function artifactError(id: number, what: string): ProblemError {
  return problemError("approval/artifact", `the artifact ${id} ${what}`);
}
