import { addresses } from '#kit/addresses.ts'

/** API routes of `allFarewells`. */
export const allFarewells = addresses('allFarewells', {
  remove: { method: 'DELETE', path: '/farewellPrivateMessageAll', can: 'farewells:write', touches: ['farewells'] },
})
