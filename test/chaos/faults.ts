import { setTimeout } from 'node:timers/promises'
import { DISK_FULL } from '#test/faults.ts'
import type { TcpProxy } from '#test/peers/tcp-proxy.ts'
import { until } from '#test/until.ts'
import type { ChannelName } from './load.ts'
import type { Random } from './random.ts'
import type { MailFaults } from './side.ts'
import type { Member, World } from './world.ts'

/**
 * Fault of the installation while people work; it is over when the function returns, which may name the affected process.
 */
type Fault = (world: World, random: Random) => Promise<string | undefined>

/** A process of that role, as soon as one runs. */
async function one(world: World, random: Random, role: Member['role']): Promise<Member> {
  const running = () => world.members.filter((member) => member.role === role && member.isRunning)
  await until(() => running().length > 0, 60_000)
  return random.of(running())
}

const ended =
  (role: Member['role'], sign: 'SIGKILL' | 'SIGTERM'): Fault =>
  async (world, random) => {
    const member = await one(world, random, role)
    member.signal(sign)
    await setTimeout(random.between(100, 800))
    return member.name
  }

const frozen =
  (role: Member['role']): Fault =>
  async (world, random) => {
    const member = await one(world, random, role)
    member.signal('SIGSTOP')
    await setTimeout(random.between(500, 12_000))
    member.signal('SIGCONT')
    return member.name
  }

/**
 * Makes the processes of these roles die at a named point of their next lives; all of a role, because only one process has a
 * connection.
 */
const diesAt =
  (point: string, ...roles: readonly Member['role'][]): Fault =>
  async (world, random) => {
    const meant = world.members.filter(({ role }) => roles.includes(role))
    const ends = () => meant.reduce((sum, { armedEnds }) => sum + armedEnds, 0)
    for (const member of meant) {
      member.arm(point, random.between(1, 4))
      member.signal('SIGKILL')
    }
    // One that was being started already lives on unarmed.
    await until(() => meant.every(({ isRunning }) => !isRunning), 2000).catch(() => {})
    const before = ends()
    // The first process to start takes the connections, and is the first to pass the point.
    await until(() => meant.some(({ isRunning }) => isRunning), 60_000)
    await until(() => ends() > before, AT_A_POINT_MS).catch(() => {})
    return undefined
  }

/** Time-out in ms of a wait for an event under load. */
const AT_A_POINT_MS = 8000

/** Kills the processes of the connections, the holders and those that would take over. */
function killHosts({ members }: World): void {
  for (const member of members) if (member.role === 'channels') member.signal('SIGKILL')
}

/** Returns a fault that lasts a random time up to `most` ms; `fail` starts it and returns a function that ends it. */
const lasting =
  (fail: (world: World) => undefined | (() => void), most: number): Fault =>
  async (world, random) => {
    const end = fail(world)
    await setTimeout(random.between(200, most))
    end?.()
    return undefined
  }

/** Returns a fault of the lines to the other end that lasts up to `most` ms. */
const lineFault = (lines: (world: World) => readonly TcpProxy[], fail: (line: TcpProxy) => void, most: number): Fault =>
  lasting((world) => {
    const failing = lines(world)
    failing.forEach(fail)
    return () => {
      for (const line of failing) line.resume()
    }
  }, most)
const DELAY_MS = 400

/** The Meta of the round misbehaves for a while. */
const metaFault = (fail: (meta: NonNullable<World['meta']['current']>) => () => void, most: number): Fault =>
  lasting(({ meta: { current } }) => (current ? fail(current) : undefined), most)

/** The mailbox of the round misbehaves for a while. */
const mailFault = (fail: (mail: MailFaults) => undefined | (() => void), most = 300): Fault =>
  lasting(({ mail: { current } }) => (current ? fail(current) : undefined), most)

/** Proxies of the lines to the other ends. */
const lines = {
  whatsapp: ({ line }: World) => [line],
  meta: ({ metaProxy }: World) => [metaProxy],
  gateways: ({ gateways }: World) => [...gateways].map(({ line }) => line),
  mail: ({ mail: { current } }: World) => current?.lines ?? [],
  visitors: ({ visitors: { current } }: World) => (current ? [current.line] : []),
}

const TABLES = ['journal', 'messages', 'message_trail', 'changes'] as const

/** All faults by name; a round takes some of them at random. */
export const chaos = {
  'web killed': ended('web', 'SIGKILL'),
  'web ended': ended('web', 'SIGTERM'),
  'web frozen': frozen('web'),
  'worker killed': ended('worker', 'SIGKILL'),
  'worker ended': ended('worker', 'SIGTERM'),
  'worker frozen': frozen('worker'),
  'channels killed': ended('channels', 'SIGKILL'),
  'channels ended': ended('channels', 'SIGTERM'),
  'channels frozen': frozen('channels'),
  // Between the fetch and the commit, in the process that fetches or is called, and right after it.
  'killed before what came is stored': diesAt('before emit commit', 'channels'),
  'killed when what came is stored': diesAt('emit committed', 'channels'),
  'killed before a call is stored': diesAt('before ingest commit', 'web'),
  'killed when a call is stored': diesAt('journal committed', 'web'),
  // Connections that stay open send by their host, the others by a worker.
  'killed before a message leaves': diesAt('message claimed', 'channels', 'worker'),
  'killed when a message has left': diesAt('provider accepted', 'channels', 'worker'),
  'killed when a receipt is sent': async (world) => {
    const { received } = world.whatsapp
    const { length } = received
    const isSent = () => received.slice(length).some(({ node }) => node.tag === 'receipt')
    await until(isSent, AT_A_POINT_MS).catch(() => {})
    killHosts(world)
  },
  'killed when an ack is lost': async (world, random) => {
    world.whatsapp.faults.acks = 'lost'
    await setTimeout(random.between(200, 1500))
    killHosts(world)
    world.whatsapp.faults.acks = 'given'
  },
  'acks lost': async ({ whatsapp }, random) => {
    whatsapp.faults.acks = 'lost'
    await setTimeout(random.between(200, 1500))
    whatsapp.faults.acks = 'given'
  },
  'proxy killed': async ({ gateway }, random) => {
    await gateway.stop()
    await setTimeout(random.between(200, 4000))
    await gateway.start()
  },
  'whatsapp killed': lineFault(lines.whatsapp, (line) => line.stop(), 4000),
  'whatsapp cut': lineFault(lines.whatsapp, (line) => line.cut(), 300),
  'whatsapp frozen': lineFault(lines.whatsapp, (line) => line.freeze(), 6000),
  'whatsapp slow': lineFault(lines.whatsapp, (line) => line.delay(DELAY_MS), 3000),
  'telegram silent': async ({ telegram }, random) => {
    telegram.faults.isSilent = true
    await setTimeout(random.between(200, 4000))
    telegram.faults.isSilent = false
  },
  'telegram slow': async ({ telegram }, random) => {
    telegram.faults.delayMs = random.between(500, 3000)
    await setTimeout(random.between(500, 3000))
    telegram.faults.delayMs = 0
  },
  'telegram hurried': async ({ telegram }, random) => {
    for (const id of telegram.chats.keys()) telegram.faults.slowed.set(id, random.between(1, 3))
  },
  'telegram tells again': async ({ telegram }) => telegram.delivery.repeat(),
  'telegram loses an answer': async ({ telegram }) => {
    telegram.faults.lostAnswers = 1
  },
  'meta down': lineFault(lines.meta, (line) => line.stop(), 4000),
  'meta cut': lineFault(lines.meta, (line) => line.cut(), 300),
  'meta silent': lineFault(lines.meta, (line) => line.freeze(), 6000),
  'meta slow': lineFault(lines.meta, (line) => line.delay(DELAY_MS), 3000),
  'meta 429': metaFault(({ state, direct }) => {
    for (let n = 0; n < 3; n++) {
      state.refusals.push({ code: 130_429, status: 429 })
      direct.state.refusals.push({ code: 613, status: 429 })
    }
    return () => {}
  }, 500),
  'meta token revoked': metaFault(({ state }) => {
    state.isTokenValid = false
    return () => {
      state.isTokenValid = true
    }
  }, 2000),
  'meta webhooks replayed': async (world, random) => {
    const { current } = world.meta
    const bodies = current?.posted.toSorted(() => random.next() - 0.5) ?? []
    await Promise.all(bodies.map((body) => current!.post(body).catch(() => {})))
  },
  'gateways down': lineFault(lines.gateways, (line) => line.stop(), 4000),
  'gateways silent': lineFault(lines.gateways, (line) => line.freeze(), 4000),
  'gateways slow': lineFault(lines.gateways, (line) => line.delay(DELAY_MS), 3000),
  'gateways 429': lasting(({ gateways }) => {
    for (const { faults } of gateways) faults.isBusy = true
    return () => {
      for (const { faults } of gateways) faults.isBusy = false
    }
  }, 2000),
  'gateways lose an answer': async ({ gateways }) => {
    for (const { faults } of gateways) faults.lostAnswers = 1
  },
  'webhooks told again': ({ callbacks }, random) =>
    callbacks.again((calls) => calls.toSorted(() => random.next() - 0.5)),
  'mailbox cut': mailFault(({ imap }) => void imap.cut()),
  'mailbox cut within a mail': async ({ mail: { current } }, random) => {
    if (current) current.imap.faults.cutWithin = random.between(1, 3)
  },
  'mailbox silent': mailFault(({ imap }) => {
    imap.faults.silent = true
    return () => {
      imap.faults.silent = false
      imap.cut()
    }
  }, 3000),
  'mailbox busy': mailFault(({ imap, faults }) => {
    imap.faults.busy = faults.isBusy = true
    imap.cut()
    return () => {
      imap.faults.busy = faults.isBusy = false
    }
  }, 2000),
  'mailbox begins anew': mailFault(({ imap: { inbox, cut } }) => {
    inbox.validity++
    for (const mail of inbox.mails) mail.uid += 1000
    inbox.next += 1000
    cut()
    return undefined
  }),
  'mail down': lineFault(lines.mail, (line) => line.stop(), 4000),
  'mail slow': lineFault(lines.mail, (line) => line.delay(DELAY_MS), 3000),
  'mail loses an answer': async ({ mail: { current } }) => {
    if (current) current.faults.lostAnswers = 1
  },
  'visitors cut': lineFault(lines.visitors, (line) => line.stop(), 2000),
  'visitors silent': lineFault(lines.visitors, (line) => line.freeze(), 4000),
  'visitors slow': lineFault(lines.visitors, (line) => line.delay(DELAY_MS), 3000),
  'visitors lose answers': lineFault(lines.visitors, (line) => line.loseAnswers(), 1000),
  'visitors say all again': async ({ visitors }, random) => visitors.current?.again(random.between(1, 1_000_000)),
  'database killed': (world, random) => world.restartDatabase('kill', random.between(50, 1500)),
  'database stopped': (world, random) => world.restartDatabase('stop', random.between(50, 3000)),
  'database frozen': (world, random) => world.freezeDatabase(random.between(300, 6000)),
  'listen cut': async (world) => world.proxy.cut('guiche listen'),
  'connections cut': async (world) => world.proxy.cut(),
  // A real full disk if there is one to fill; otherwise the database fails every write for that time.
  'disk full': async (world, random) => {
    const ms = random.between(500, 5000)
    if (world.disk.isReal) world.disk.fill()
    else for (const table of TABLES) await world.faults.raise(table, DISK_FULL)
    await setTimeout(ms)
    if (world.disk.isReal) world.disk.drain()
    else await world.faults.heal()
    // Out of room for its log it ends by itself.
    await world.allUp()
  },
} satisfies Record<string, (...about: Parameters<Fault>) => Promise<unknown>>

/** The name of a fault. */
export type FaultName = keyof typeof chaos
/** Every fault. */
export const faultNames = Object.keys(chaos) as FaultName[]

/** Faults that affect some channels only, by name, with those channels. */
const sufferers: readonly (readonly [RegExp, readonly ChannelName[]])[] = [
  [/^(acks|proxy|whatsapp) |a receipt|an ack/, ['linked']],
  [/^telegram /, ['telegram']],
  [/^meta /, ['meta']],
  [/^(gateways|webhooks) /, ['gateways', 'sms', 'hub']],
  [/^mail(box)? /, ['mail']],
  [/^visitors /, ['webchat']],
  [/^channels /, ['linked', 'telegram', 'gateways', 'hub', 'mail']],
  [/what came/, ['linked', 'telegram', 'mail']],
  [/a call/, ['test', 'meta', 'gateways', 'sms', 'hub', 'webchat']],
]

/** Returns the faults that can affect people who write on these channels. */
export const faultsOf = (...channels: readonly ChannelName[]): FaultName[] =>
  faultNames.filter((name) =>
    channels.some((channel) => sufferers.every(([some, those]) => !some.test(name) || those.includes(channel))),
  )
