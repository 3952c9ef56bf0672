import type { EventType } from '#domain/webhook-endpoints/types.ts'
import type { Ctx } from '#server/context.ts'

/** Event with its data for endpoints. */
export type Happening = {
  readonly type: EventType
  readonly seq: number
  readonly contactId: number | null
  readonly data: object
}

/** Payload in an endpoint's own format, with its event. */
export type Formatted = { readonly of: Happening; readonly body: object }

/** Formats events for the API key of an endpoint; omits events that do not concern it. */
export type Format = (ctx: Ctx, source: string, happened: readonly Happening[]) => Promise<readonly Formatted[]>

const formats = new Map<string, Format>()

/** Registers a format by name. */
export const registerFormat = (name: string, format: Format): void => void formats.set(name, format)

/** Returns the format of a name; undefined for the standard format. */
export const formatOf = (name: string): Format | undefined => formats.get(name)
