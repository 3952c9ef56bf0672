import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import type { ChannelTools } from '../port.ts'

const WEB = 'wss://web.whatsapp.com/ws/chat'

/** Returns the WebSocket URL of linked devices. */
export const webUrl = (environment: ChannelTools['environment']): string => environment['WHATSAPP_WEB_URL'] ?? WEB

/** Returns the root key of another server's certificates, 64 hex digits; undefined for WhatsApp's own. */
export const rootOf = ({
  WHATSAPP_WEB_URL: url,
  WHATSAPP_WEB_ROOT: root,
}: ChannelTools['environment']): string | undefined => (url && root) || undefined

/** Returns the CA certificate (PEM) of another server's file hosts, given directly or as a file; undefined for public CAs. */
export const caOf = ({
  WHATSAPP_WEB_URL: url,
  WHATSAPP_WEB_CA: file,
}: ChannelTools['environment']): string | undefined =>
  url && file ? (file.startsWith('-----') ? file : readFileSync(file, 'utf8')) : undefined

/**
 * Returns a dispatcher for the library's fetches (history parts, app state) that connects only where outbound calls are
 * allowed.
 */
export async function guardedDispatcher({ connect }: Pick<ChannelTools, 'connect'>, ca?: string): Promise<Dispatcher> {
  const { Agent: FetchAgent } = await import('undici')
  return new FetchAgent({
    connect({ hostname, port, protocol }, done) {
      const isSecure = protocol === 'https:'
      connect({ host: hostname, port: Number(port || (isSecure ? 443 : 80)), tls: isSecure, ca }).then(
        (socket) => done(null, socket as Socket),
        (error: Error) => done(error, null),
      )
    },
  })
}
