import { isSettingOn, may } from '#web/session/permissions.ts'

/** Where the company controls it, users without the wide view do not peek. */
export const mayPeek = (): boolean => !isSettingOn('controlFeatures') || may('tickets:all')
