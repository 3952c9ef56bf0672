import { z } from 'zod'
import { uuid } from '#kit/fields.ts'

/** Schema of a file in a conversation; `url` is a signed link valid for an hour (decision B9). */
export const messageFile = z.object({
  id: uuid,
  url: z.string(),
  name: z.string(),
  mime: z.string(),
  size: z.number().int(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  durationMs: z.number().int().nullable(),
  /** Waveform of a voice note: 64 volumes of 0–100. */
  waveform: z.array(z.number().int()).readonly().nullable(),
})
