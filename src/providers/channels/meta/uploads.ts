import { basename } from 'node:path'
import type { ChannelTools, Outbound } from '../port.ts'
import { GraphRefusal } from './graph.ts'

/** Days for which an upload is reused; Meta stores it for thirty. */
const USED_DAYS = 29
/** Error codes for a file that Meta does not have, or no longer accepts. */
const GONE_CODES: readonly (number | null)[] = [100, 131009, 131052, 131053]

/**
 * Sends with Meta's id of a file, which is uploaded once per connection, and again if Meta no longer has it. `uploading`
 * uploads it, `sending` sends with the id.
 */
export async function withUpload<T>(
  { uploads }: ChannelTools,
  { type, file }: Pick<Outbound, 'type' | 'file'>,
  uploading: () => Promise<string>,
  sending: (id: string | null) => Promise<T>,
): Promise<T> {
  if (!file) return sending(null)
  // Stored files are named by the hash of their content.
  const content = `${basename(file.path)} ${file.mime} ${type}`
  const anew = async () => {
    const id = await uploading()
    await uploads?.save(content, id, USED_DAYS)
    return sending(id)
  }
  const known = await uploads?.find(content)
  if (!known) return anew()
  return sending(known).catch(async (error: unknown) => {
    if (!(error instanceof GraphRefusal) || !GONE_CODES.includes(error.code)) throw error
    await uploads?.forget(content)
    return anew()
  })
}
