import type { Resource } from '#kit/resource.ts'
import { Variables } from './Variables.tsx'

/** Creates the page of variables, with the table of constants. */
export const variableScreen = (constants: Resource) => () => <Variables constants={constants} />
