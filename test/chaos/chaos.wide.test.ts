import { describe, expect, it } from 'vitest'
import { faultsOf } from './faults.ts'
import type { ChannelName } from './load.ts'
import { fillsDisks, runRounds } from './rounds.ts'

const SEED = 20_260
// Channels that settle soon: Meta reports a message whose response was lost after one to five minutes.
const channels: readonly ChannelName[] = ['test', 'linked', 'telegram', 'webchat']
/** Faults close to a channel: of its host, its database and its other end. */
const near = (channel: ChannelName) =>
  faultsOf(channel).filter((name) => !/^(web|worker|listen|connections|disk) /.test(name))

/** Runs rounds and returns those that did not balance, with the differences. */
const wrongOf = async (...[count, seed, options]: Parameters<typeof runRounds>) =>
  (await runRounds(count, seed, options)).filter((round) => round.wrong.length > 0)

describe('whatever happens to processes, database and disk under load', () => {
  it('what was acknowledged is stored and delivered once, in order, and told', async () => {
    expect(await wrongOf(4, SEED, { channels, loadMs: 6000 })).toEqual([])
  }, 900_000)

  it('a linked number loses and doubles nothing, both ways, wherever its host, its proxy or its server dies', async () => {
    expect(await wrongOf(2, SEED, { channels: ['linked'], faults: near('linked'), loadMs: 5000 })).toEqual([])
  })

  it('a bot loses and doubles nothing, both ways, wherever its host dies and whatever its Telegram does', async () => {
    expect(await wrongOf(2, SEED, { channels: ['telegram'], faults: near('telegram'), loadMs: 4000 })).toEqual([])
  })

  it('a mailbox loses and doubles nothing, both ways, wherever its host dies and whatever its servers do', async () => {
    expect(await wrongOf(2, SEED, { channels: ['mail'], faults: near('mail'), loadMs: 4000 })).toEqual([])
  })

  const full = { channels, faults: ['disk full'], loadMs: 5000 } as const
  it.skipIf(!fillsDisks)('a true disk (tmpfs) that fills up loses nothing', async () => {
    expect(await wrongOf(1, SEED, full)).toEqual([])
  })
  it('a database that says so of every write loses nothing', async () => {
    expect(await wrongOf(1, SEED, { ...full, isReal: false })).toEqual([])
  })
})
