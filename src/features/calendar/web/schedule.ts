import * as library from '@mantine/schedule'
import 'dayjs/locale/pt-br.js'

// The library's own types for this form of modules name files without their endings.
type Library = typeof import('@mantine/schedule', { with: { 'resolution-mode': 'require' }})
type Shapes = import('@mantine/schedule', { with: { 'resolution-mode': 'require' }}).ScheduleLabelsOverride

const known = library as unknown as Library

/** Entries day by day, as a list. */
export const AgendaView = known.AgendaView
/** One day by its hours. */
export const DayView = known.DayView
/** A month for a narrow screen, with the entries of one day below it. */
export const MobileMonthView = known.MobileMonthView
/** A month. */
export const MonthView = known.MonthView
/** A week by its hours. */
export const WeekView = known.WeekView

/** The words of the views. */
export type ScheduleLabels = Shapes

/** What the views draw. */
export type ScheduleEventData<P extends object = object> = import('@mantine/schedule', { with: {
  'resolution-mode': 'require',
}}).ScheduleEventData<P & Record<PropertyKey, unknown>>
