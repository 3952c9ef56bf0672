export { candidatesOf, capacityOf, rulesOf, walletsRule } from './people.ts'
export {
  findArrivals,
  findPeople,
  findWaiting,
  lastAssignment,
  lockAbandoned,
  lockDistribution,
  lockWaiting,
  moveWaits,
  namesOf,
  noteTurns,
  noteWaits,
  tenantsThatDistribute,
} from './queries.ts'
export { registerStaff, staff } from './staff.ts'
