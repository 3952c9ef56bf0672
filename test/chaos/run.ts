import { parseArgs } from 'node:util'
import { type FaultName, faultNames } from './faults.ts'
import { fillsDisks, runRounds } from './rounds.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string' },
    faults: { type: 'string' },
    load: { type: 'string', default: '8000' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
const faults = values.faults ? (values.faults.split(',') as FaultName[]) : faultNames
const unknown = faults.filter((name) => !faultNames.includes(name))
if (unknown.length > 0) throw new Error(`unknown faults: ${unknown.join(', ')}; there are ${faultNames.join(', ')}`)

console.log(`seed ${seed}, the disk that fills up is ${fillsDisks ? 'a true one' : 'the database saying so'}`)
const rounds = await runRounds(Number(values.rounds), seed, { faults, loadMs: Number(values.load) })
const bad = rounds.filter((round) => round.wrong.length > 0)
console.log(`${rounds.length - bad.length} of ${rounds.length} rounds balanced`)
process.exit(bad.length === 0 ? 0 : 1)
