import { setTimeout } from 'node:timers/promises'
import { checkBooks } from './books.ts'
import { mayMount } from './disk.ts'
import { chaos, type FaultName, faultsOf } from './faults.ts'
import { type ChannelName, channelNames, closeCompany, openCompany, openPages, startLoad } from './load.ts'
import { type Random, randomOf } from './random.ts'
import { startWorld, type World } from './world.ts'

/** Result of a round, and its duration in seconds; `wrong` is empty if everything sent and received agrees. */
export type Round = { seed: number; channels: readonly ChannelName[]; seconds: number; line: string; wrong: string[] }

/**
 * Options of rounds. `faults`: names of faults, by default all that can affect the channels; `channels`: all in each round,
 * or one after the other with `takeTurns`; `loadMs`: duration of the load; `isReal`: fill a real disk, if this process may
 * mount one.
 */
export type Options = {
  faults?: readonly FaultName[]
  channels?: readonly ChannelName[]
  takeTurns?: boolean
  loadMs?: number
  isReal?: boolean
}

/** Whether rounds fill a real disk on this machine. */
export const fillsDisks = mayMount()

/**
 * Runs rounds of faults under load, each with a new company and a seed (`seed`, `seed + 1`, …), and returns a one-line
 * result of each. After a round whose books do not balance, the next gets a new installation.
 */
export async function runRounds(
  count: number,
  seed: number,
  { faults, channels = channelNames, takeTurns = false, loadMs = 8000, isReal = fillsDisks }: Options = {},
  say: (line: string) => void = console.log,
  signal?: AbortSignal,
): Promise<Round[]> {
  const rounds: Round[] = []
  let world: World | null = null
  try {
    for (let n = 0; n < count && !signal?.aborted; n++) {
      world ??= await startWorld(isReal)
      const by = takeTurns ? [channels[n % channels.length]!] : channels
      const about = { channels: by, faults: faults ?? faultsOf(...by), loadMs }
      const began = performance.now()
      const became = await runRound(world, seed + n, about).catch((error: Error) => ({
        line: `seed ${seed + n}: broke off`,
        wrong: [error.message],
      }))
      const round = { ...became, seed: seed + n, channels: by, seconds: (performance.now() - began) / 1000 }
      rounds.push(round)
      say(`round ${n + 1} of ${count}, ${by.join()}, ${round.line}`)
      if (round.wrong.length === 0) continue
      for (const wrong of round.wrong) say(`    ${wrong}`)
      say(
        `    again: npm run chaos -- --rounds 1 --seed ${round.seed} --channels ${by.join()} --faults '${about.faults.join(',')}' --load ${loadMs}`,
      )
      await world.close()
      world = null
    }
  } finally {
    await world?.close()
  }
  return rounds
}

async function runRound(
  world: World,
  seed: number,
  { faults, channels, loadMs }: Required<Pick<Options, 'faults' | 'channels' | 'loadMs'>>,
): Promise<Pick<Round, 'line' | 'wrong'>> {
  const random = randomOf(seed)
  await world.allUp()
  world.ownEnds()
  world.callbacks.forget()
  world.whatsapp.received.length = 0
  const company = await openCompany(world, channels)
  const pages = await openPages(world, company)
  const load = startLoad(world, company, randomOf(seed + 1_000_000))
  try {
    const happened = await makeTrouble(world, random, faults, loadMs)
    await world.allUp()
    await load.end()
    const started = performance.now()
    const wrong = await checkBooks(world, company, load, pages)
    const rest = ((performance.now() - started) / 1000).toFixed(1)
    const sum = (lists: ReadonlyMap<string, readonly string[]>) => [...lists.values()].flat().length
    const ends = world.ownEnds()
    const line = [
      `seed ${seed}: ${wrong.length === 0 ? 'balanced' : 'WRONG'}`,
      `in ${sum(load.done.written)}, out ${sum(load.done.answered)}, rest ${rest} s`,
      happened.join(', '),
      ...(ends.length > 0 ? [`ended by themselves: ${ends.join(', ')}`] : []),
    ].join('; ')
    return { line, wrong }
  } finally {
    for (const page of pages) page.close()
    await closeCompany(world, company).catch(() => {})
  }
}

/** Causes one fault after the other, sometimes two at once, with pauses between them; returns the names of the faults. */
async function makeTrouble(world: World, random: Random, faults: readonly FaultName[], ms: number): Promise<string[]> {
  const happened: string[] = []
  const end = Date.now() + ms
  let other: Promise<void> = Promise.resolve()
  const strike = async (name: FaultName) => {
    const about = await chaos[name](world, random)
    happened.push(typeof about === 'string' ? `${name} (${about})` : name)
  }
  while (Date.now() < end) {
    const name = random.of(faults)
    // The installation has one database and one disk: only processes suffer beside something else.
    if (random.next() < 0.4 && /^(web|worker|channels) /.test(name)) {
      await other
      other = strike(name)
    } else await strike(name)
    await setTimeout(random.between(100, 700))
  }
  await other
  return happened
}
