import { addresses } from '#kit/addresses.ts'

/** The addresses of `allFarewells`. */
export const allFarewells = addresses('allFarewells', {
  remove: { method: 'DELETE', path: '/farewellPrivateMessageAll', can: 'farewells:write', touches: ['farewells'] },
})
