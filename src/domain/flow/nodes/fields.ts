import type { FlowMedia } from '../flow.ts'
import { type JsonObject, textOf } from '../json.ts'

/** A number between two. */
export const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/** The file that an interaction names. */
export const readMedia = (fields: JsonObject): FlowMedia => ({
  fileId: textOf(fields['fileId']) || null,
  name: textOf(fields['name']),
  type: textOf(fields['type']),
  caption: textOf(fields['caption']),
})
