import type { Graph } from './graph.ts'
import { answers } from './schemas.ts'

/** Uploads a sample file of the app to Meta in one request of a resumable session; returns its handle. */
export async function uploadSample(
  graph: Graph,
  appId: string,
  { name, mime, bytes }: { readonly name: string; readonly mime: string; readonly bytes: Uint8Array },
): Promise<string> {
  const query = { file_name: name, file_length: String(bytes.length), file_type: mime }
  const { id } = await graph.ask(answers.named, [appId, 'uploads'], { method: 'POST', query })
  return graph.fill(id, bytes)
}
