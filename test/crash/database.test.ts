import { it } from 'vitest'
import { checkRestarts } from './restarts.ts'

it(
  'a database that is restarted under load: the product lives, says so, and loses nothing it has acknowledged',
  () => checkRestarts(3),
  60_000,
)
