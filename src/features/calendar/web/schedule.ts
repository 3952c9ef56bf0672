import * as library from '@mantine/schedule'
import 'dayjs/locale/pt-br.js'

// The library's own types for this form of modules name files without their endings.
type Library = typeof import('@mantine/schedule', { with: { 'resolution-mode': 'require' }})
type Shapes = import('@mantine/schedule', { with: { 'resolution-mode': 'require' }}).ScheduleLabelsOverride

const known = library as unknown as Library

/** List view of entries by day. */
export const AgendaView = known.AgendaView
/** Day view by hours. */
export const DayView = known.DayView
/** Month view for narrow screens, with one day's entries below. */
export const MobileMonthView = known.MobileMonthView
/** Month view. */
export const MonthView = known.MonthView
/** Week view by hours. */
export const WeekView = known.WeekView

/** Texts of the views. */
export type ScheduleLabels = Shapes

/** Entry type of the views. */
export type ScheduleEventData<P extends object = object> = import('@mantine/schedule', { with: {
  'resolution-mode': 'require',
}}).ScheduleEventData<P & Record<PropertyKey, unknown>>
