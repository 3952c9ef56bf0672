import { parseArgs } from 'node:util'
import { type FaultName, faultNames } from './faults.ts'
import { type ChannelName, channelNames } from './load.ts'
import { fillsDisks, runRounds } from './rounds.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string' },
    faults: { type: 'string' },
    channels: { type: 'string', default: 'all' },
    load: { type: 'string', default: '8000' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
const faults = values.faults?.split(',') as FaultName[] | undefined
requireKnown('faults', faults ?? [], faultNames)
// All of them take turns; those that are named are written by at once.
const takeTurns = values.channels === 'all'
const channels = takeTurns ? channelNames : (values.channels.split(',') as ChannelName[])
requireKnown('channels', channels, channelNames)

console.log(`seed ${seed}, the disk that fills up is ${fillsDisks ? 'a true one' : 'the database saying so'}`)
// An interrupt also ends the started processes.
const enough = new AbortController()
for (const sign of ['SIGINT', 'SIGTERM'] as const) process.on(sign, () => enough.abort())
const options = { ...(faults ? { faults } : {}), channels, takeTurns, loadMs: Number(values.load) }
const rounds = await runRounds(Number(values.rounds), seed, options, console.log, enough.signal)
const bad = rounds.filter((round) => round.wrong.length > 0)
console.log(`${rounds.length - bad.length} of ${rounds.length} rounds balanced`)
for (const [name, all = []] of Object.entries(Object.groupBy(rounds, (round) => round.channels.join()))) {
  const seconds = all.reduce((sum, round) => sum + round.seconds, 0) / all.length
  console.log(`${name}: ${all.length} rounds, ${seconds.toFixed(1)} s each`)
}
process.exit(bad.length === 0 ? 0 : 1)

function requireKnown(what: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`unknown ${what}: ${unknown.join(', ')}; there are ${known.join(', ')}`)
}
