import type { FlowDocument } from '#domain/flow/document.ts'
import type { Flow } from '#domain/flow/flow.ts'
import { readFlow } from '#domain/flow/read.ts'
import type { FlowVersion } from '#domain/flow/recording.ts'
import { outcomeOf, type Recording, type Replayed, type ReplayOutcome, replay } from '#domain/flow/replay.ts'

/** Documents of flow versions, by `shelfKey`. */
export type Documents = readonly (readonly [key: string, document: FlowDocument])[]

/** Returns the key of a version; version 0 is the published one. */
export const shelfKey = ({ chatFlowId, version }: FlowVersion): string => `${chatFlowId}:${version}`

/** Creates a replayer: plays recordings on their own versions and, if given, on a draft. */
export function createReplayer(draft: FlowDocument | null, documents: Documents) {
  const flows = new Map<string, Flow>()
  const known = (added: Documents) => {
    for (const [key, document] of added) flows.set(key, readFlow(document))
  }
  known(documents)
  const flow = draft && readFlow(draft)
  const shelf = (of: FlowVersion) => flows.get(shelfKey(of)) ?? null
  const play = (recording: Recording): { before: Replayed; after: Replayed; outcome: ReplayOutcome } | null => {
    try {
      const before = replay(recording, shelf)
      const after = before && flow ? replay(recording, shelf, { flow, original: before }) : before
      return before && after && { before, after, outcome: outcomeOf(before, after) }
    } catch {
      // An engine failure affects this conversation only.
      return null
    }
  }
  return { known, play }
}
