import type { RecordedFile } from './contact-end.ts'

/** Posts a form with fields and an optional file, as a browser or a phone does; throws unless it is accepted. */
export async function postForm(
  address: string,
  token: string,
  fields: Readonly<Record<string, unknown>>,
  file: readonly [field: string, file: RecordedFile] | null,
  method: 'POST' | 'PUT' = 'POST',
): Promise<void> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value))
  if (file) {
    const [field, { name, mime, base64 }] = file
    form.append(field, new Blob([Buffer.from(base64, 'base64')], { type: mime }), name)
  }
  const reply = await fetch(address, { method, headers: { authorization: `Bearer ${token}` }, body: form })
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
}

/** Downloads the bytes of a signed address of the product. */
export const bytesAt = async (address: string): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(address)).arrayBuffer())
