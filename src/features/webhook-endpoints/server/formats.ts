import type { EventType } from '#domain/webhook-endpoints/types.ts'
import type { Ctx } from '#server/context.ts'

/** Something that happened, with what an endpoint is told of it. */
export type Happening = {
  readonly type: EventType
  readonly seq: number
  readonly contactId: number | null
  readonly data: object
}

/** What an endpoint is told in a form of its own, and of what. */
export type Formatted = { readonly of: Happening; readonly body: object }

/** Writes what happened in a form of its own for the API key that brings the endpoint; leaves out what is not its concern. */
export type Format = (ctx: Ctx, source: string, happened: readonly Happening[]) => Promise<readonly Formatted[]>

const formats = new Map<string, Format>()

/** Says how endpoints of a form are told. */
export const registerFormat = (name: string, format: Format): void => void formats.set(name, format)

/** The form of a name; undefined for the standard one. */
export const formatOf = (name: string): Format | undefined => formats.get(name)
