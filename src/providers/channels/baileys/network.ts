import { Agent as PlainAgent } from 'node:http'
import { Agent } from 'node:https'
import type { Duplex } from 'node:stream'
import type { ChannelTools } from '../port.ts'

type Opened = (error: unknown, socket?: Duplex) => void
type Wanted = { readonly host?: string; readonly port?: number | string }

/** Lets the socket of the library go where calls may go, and nowhere else. */
export function guardedAgent({ connect }: Pick<ChannelTools, 'connect'>, url: string): Agent {
  const isSecure = new URL(url).protocol === 'wss:'
  const agent = isSecure ? new Agent() : new PlainAgent()
  return Object.assign(agent as Agent, {
    createConnection: ({ host, port }: Wanted, done: Opened) => {
      connect({ host: host ?? '', port: Number(port ?? (isSecure ? 443 : 80)), tls: isSecure }).then(
        (socket) => done(null, socket),
        (error: unknown) => done(error),
      )
    },
  })
}
