import { Agent } from 'node:https'
import type { Duplex } from 'node:stream'

type Opened = (error: unknown, socket?: Duplex) => void
type Wanted = { readonly host?: string; readonly port?: number | string }
type Connect = (to: { host: string; port: number; tls: boolean; ca?: string | undefined }) => Promise<Duplex>

/** Returns an agent that connects only where outbound calls are allowed. */
export function guardedAgent({ connect }: { readonly connect: Connect }, isSecure: boolean, ca?: string): Agent {
  // A plain import of that module would also load Node's own fetch.
  const agent = isSecure ? new Agent() : new (process.getBuiltinModule('node:http').Agent)()
  return Object.assign(agent as Agent, {
    createConnection: ({ host, port }: Wanted, done: Opened) => {
      connect({ host: host ?? '', port: Number(port ?? (isSecure ? 443 : 80)), tls: isSecure, ca }).then(
        (socket) => done(null, socket),
        (error: unknown) => done(error),
      )
    },
  })
}
