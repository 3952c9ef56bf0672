import { isSettingOn, may } from '#web/session/permissions.ts'

/** Checks that the user may peek: always, unless the company restricts it to users who see all tickets. */
export const mayPeek = (): boolean => !isSettingOn('controlFeatures') || may('tickets:all')
