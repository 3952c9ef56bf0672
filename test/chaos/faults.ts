import { setTimeout } from 'node:timers/promises'
import { DISK_FULL } from '#test/faults.ts'
import { until } from '#test/until.ts'
import type { Random } from './random.ts'
import type { Member, World } from './world.ts'

/** Something that happens to the installation while people work; when it returns, the cause is over, and it may say whom it hit. */
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

/** Whoever has the connections next dies at a named point, soon; both, because only one has them. */
const diesAt =
  (point: string): Fault =>
  async (world, random) => {
    const hosts = world.members.filter(({ role }) => role === 'channels')
    const ends = () => hosts.reduce((sum, { armedEnds }) => sum + armedEnds, 0)
    for (const host of hosts) {
      host.arm(point, random.between(1, 4))
      host.signal('SIGKILL')
    }
    // One that was being started already lives on unarmed.
    await until(() => hosts.every(({ isRunning }) => !isRunning), 2000).catch(() => {})
    const before = ends()
    // The first that is there takes the connections, and is the first that passes there.
    await until(() => hosts.some(({ isRunning }) => isRunning), 60_000)
    await until(() => ends() > before, AT_A_POINT_MS).catch(() => {})
    return undefined
  }

/** So long something is waited for that happens while messages come and go. */
const AT_A_POINT_MS = 8000

/** Whoever has the connections dies, and who would take them, too. */
function killHosts({ members }: World): void {
  for (const member of members) if (member.role === 'channels') member.signal('SIGKILL')
}

/** Nobody reaches the WhatsApp for a while, in one way or another. */
const lineFault =
  (fail: (line: World['line']) => void, most: number): Fault =>
  async ({ line }, random) => {
    fail(line)
    await setTimeout(random.between(200, most))
    line.resume()
    return undefined
  }

/** The Meta of the round misbehaves for a while. */
const metaFault =
  (fail: (meta: NonNullable<World['meta']['current']>, world: World) => () => void, most: number): Fault =>
  async (world, random) => {
    const { current } = world.meta
    const end = current && fail(current, world)
    await setTimeout(random.between(200, most))
    end?.()
    return undefined
  }
const metaProxyFault = (fail: (line: World['metaProxy']) => void, most: number) =>
  metaFault((_, { metaProxy }) => {
    fail(metaProxy)
    return () => metaProxy.resume()
  }, most)

/** The mailbox of the round misbehaves for a while. */
const mailFault =
  (fail: (mail: NonNullable<World['mail']['current']>) => undefined | (() => void), most = 300): Fault =>
  async ({ mail: { current } }, random) => {
    const end = current && fail(current)
    await setTimeout(random.between(100, most))
    end?.()
    return undefined
  }

const TABLES = ['journal', 'messages', 'message_trail', 'changes'] as const

/** Everything that may happen, by name; a round takes some of them at random. */
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
  'killed before the ratchet is stored': diesAt('before emit commit'),
  'killed when the ratchet is stored': diesAt('emit committed'),
  'killed before a message leaves': diesAt('message claimed'),
  'killed when a message has left': diesAt('provider accepted'),
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
  'whatsapp killed': lineFault((line) => line.stop(), 4000),
  'whatsapp cut': lineFault((line) => line.cut(), 300),
  'whatsapp frozen': lineFault((line) => line.freeze(), 6000),
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
  'meta down': metaProxyFault((line) => line.stop(), 4000),
  'meta cut': metaProxyFault((line) => line.cut(), 300),
  'meta silent': metaProxyFault((line) => line.freeze(), 6000),
  'meta slow': metaFault((_, { metaProxy }) => {
    metaProxy.delay(400)
    return () => metaProxy.delay(0)
  }, 3000),
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
  'gateways silent': async ({ gateways }, random) => {
    for (const faults of gateways) faults.isSilent = true
    await setTimeout(random.between(200, 4000))
    for (const faults of gateways) faults.isSilent = false
  },
  'gateways lose an answer': async ({ gateways }) => {
    for (const faults of gateways) faults.lostAnswers = 1
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
  'mailbox busy': mailFault(({ imap }) => {
    imap.faults.busy = true
    imap.cut()
    return () => {
      imap.faults.busy = false
    }
  }, 2000),
  'mailbox begins anew': mailFault(({ imap: { inbox, cut } }) => {
    inbox.validity++
    for (const mail of inbox.mails) mail.uid += 1000
    inbox.next += 1000
    cut()
    return undefined
  }),
  'mail loses an answer': async ({ mail: { current } }) => {
    if (current) current.faults.lostAnswers = 1
  },
  'database killed': (world, random) => world.restartDatabase('kill', random.between(50, 1500)),
  'database stopped': (world, random) => world.restartDatabase('stop', random.between(50, 3000)),
  'database frozen': (world, random) => world.freezeDatabase(random.between(300, 6000)),
  'listen cut': async (world) => world.proxy.cut('guiche listen'),
  'connections cut': async (world) => world.proxy.cut(),
  // A true one where there is a disk to fill; else the database says so of every write, for as long.
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
/** Those of the processes that keep connections open, and of the WhatsApp at the other end. */
export const linkedFaults = faultNames.filter((name) => /^(channels|killed|acks|proxy|whatsapp) /.test(name))
/** The same for a bot, and its Telegram. */
export const botFaults = faultNames.filter((name) =>
  /^(channels|telegram|database|killed (before|when) (the|a m))/.test(name),
)
/** The same for a mailbox, and its servers. */
export const mailFaults = faultNames.filter((name) =>
  /^(channels|mail|mailbox|database|killed (before|when) (the|a m))/.test(name),
)
