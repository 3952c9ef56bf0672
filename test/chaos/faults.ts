import { setTimeout } from 'node:timers/promises'
import { DISK_FULL } from '#test/faults.ts'
import type { Random } from './random.ts'
import type { Member, World } from './world.ts'

/** Something that happens to the installation while people work; when it returns, the cause is over, and it may say whom it hit. */
type Fault = (world: World, random: Random) => Promise<string | undefined>

const one = (world: World, random: Random, role: Member['role']): Member | undefined =>
  random.of(world.members.filter((member) => member.role === role && member.isRunning))

const ended =
  (role: Member['role'], sign: 'SIGKILL' | 'SIGTERM'): Fault =>
  async (world, random) => {
    const member = one(world, random, role)
    member?.signal(sign)
    await setTimeout(random.between(100, 800))
    return member?.name
  }

const frozen =
  (role: Member['role']): Fault =>
  async (world, random) => {
    const member = one(world, random, role)
    member?.signal('SIGSTOP')
    await setTimeout(random.between(500, 12_000))
    member?.signal('SIGCONT')
    return member?.name
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
