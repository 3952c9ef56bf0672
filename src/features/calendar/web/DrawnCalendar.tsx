import '@mantine/schedule/styles.layer.css'
import { UnstyledButton } from '@mantine/core'
import { t } from '#web/t.ts'
import css from './calendar.module.css'
import { dayOfWall, type Entry, wallOf } from './items.ts'
import { dayTitle, type View } from './range.ts'
import {
  AgendaView,
  DayView,
  MobileMonthView,
  MonthView,
  type ScheduleEventData,
  type ScheduleLabels,
  WeekView,
} from './schedule.ts'

const labels: ScheduleLabels = {
  ...{ day: t('Dia'), week: t('Semana'), month: t('Mês'), year: t('Ano'), allDay: t('Dia todo'), weekday: t('Dia') },
  ...{ timeSlot: t('Horário'), today: t('Hoje'), next: t('Próximo'), previous: t('Anterior'), more: t('Mais') },
  ...{ noEvents: t('Nada neste período'), agenda: t('Lista'), viewSelectLabel: t('Como mostrar') },
  moreLabel: (count) => t('mais {count}', { count }),
}

/** Calendar views by month, week, day or list, with click and drag callbacks; loads the library. */
export function DrawnCalendar(props: {
  view: View
  day: string
  today: string
  range: { from: string; to: string }
  entries: readonly Entry[]
  isNarrow: boolean
  mayWrite: boolean
  onOpen: (entry: Entry) => void
  onDay: (day: string) => void
  onPick: (day: string) => void
  onSlot: (start: string, end: string) => void
  onMove: (entry: Entry, start: string, end: string) => void
}) {
  const { view, day, today, range, entries, isNarrow, mayWrite, onOpen, onDay, onPick, onSlot, onMove } = props
  const mayDrag = (event: ScheduleEventData): boolean => {
    const { payload, start } = event as Entry
    if (!payload || payload.kind === 'message' || payload.kind === 'holiday') return false
    if (payload.kind !== 'event') return true
    return mayWrite && payload.event.isEditable && !payload.event.isConflict && String(start) >= wallOf(Date.now())
  }
  const isPast = (start: string, isWhole: boolean) =>
    isWhole ? dayOfWall(start) < today : start < wallOf(Date.now() - 60_000)
  const shared = {
    ...{ locale: 'pt-br', labels, withHeader: false, renderEvent, events: [...entries] },
    onEventClick: (event: ScheduleEventData) => onOpen(event as Entry),
  }
  const moved = {
    withEventsDragAndDrop: !isNarrow,
    canDragEvent: mayDrag,
    onEventDrop: ({ event, newStart, newEnd }: { event: ScheduleEventData; newStart: string; newEnd: string }) => {
      const entry = event as Entry
      const isWhole = entry.payload?.kind !== 'event' || entry.payload.event.isAllDay
      if (isPast(newStart, isWhole)) return onMove(entry, String(entry.start), String(entry.end))
      onMove(entry, newStart, newEnd)
    },
  }
  const slots = {
    ...{
      intervalMinutes: 60,
      eventDragInterval: 15,
      eventResizeInterval: 15,
      slotHeight: 48,
      startScrollTime: '08:00:00',
      getCurrentTime: () => wallOf(Date.now()),
    },
    onTimeSlotClick: ({ slotStart, slotEnd }: { slotStart: string; slotEnd: string }) => onSlot(slotStart, slotEnd),
    onAllDaySlotClick: (date: string) => onSlot(date, date),
    ...{ withDragSlotSelect: !isNarrow, onSlotDragEnd: onSlot },
    withEventResize: !isNarrow && mayWrite,
    canResizeEvent: (event: ScheduleEventData) => (event as Entry).payload?.kind === 'event' && mayDrag(event),
    onEventResize: moved.onEventDrop,
    scrollAreaProps: { mah: 'max(420px, calc(100dvh - 320px))' },
  }
  if (view === 'list')
    return (
      <div className={css.list}>
        <AgendaView
          {...{ locale: 'pt-br', labels, renderEvent, events: [...entries], onEventClick: shared.onEventClick }}
          rangeStart={range.from}
          rangeEnd={range.to}
          dateHeaderFormat={dayTitle}
          headerFormat={dayTitle}
        />
      </div>
    )
  const whole = entries.filter(
    ({ start, end }) => String(start).endsWith('00:00:00') && String(end).endsWith('00:00:00'),
  )
  if (view === 'day')
    return (
      <div className={css.drawn}>
        {whole.length > 0 && (
          <div className={css.whole}>
            {whole.map((entry) => (
              <button key={entry.id} type="button" data-kind={entry.payload?.kind} onClick={() => onOpen(entry)}>
                {entry.title}
              </button>
            ))}
          </div>
        )}
        <DayView withAllDaySlot={false} {...shared} {...moved} {...slots} date={day} />
      </div>
    )
  if (view === 'week')
    return (
      <div className={css.drawn}>
        <WeekView
          classNames={weekCss}
          {...shared}
          {...moved}
          {...slots}
          date={day}
          firstDayOfWeek={0}
          withWeekNumber={false}
          highlightToday
        />
      </div>
    )
  if (isNarrow)
    return (
      <div className={css.drawn}>
        <MobileMonthView
          {...{ locale: 'pt-br', labels, renderEvent, events: [...entries], onEventClick: shared.onEventClick }}
          date={day}
          selectedDate={day}
          onSelectedDateChange={(next) => next && onPick(dayOfWall(next))}
          firstDayOfWeek={0}
          eventsHeaderFormat={dayTitle}
          renderHeader={() => null}
          // The library calls the chosen day selected, which a button cannot be.
          getDayProps={(date) => ({ 'aria-selected': undefined, 'aria-pressed': dayOfWall(date) === day })}
        />
      </div>
    )
  return (
    <div className={css.drawn}>
      <MonthView
        {...shared}
        {...moved}
        date={day}
        firstDayOfWeek={0}
        maxEventsPerDay={3}
        moreEventsProps={{ className: css.more }}
        withOutsideDays
        onDayClick={(date) =>
          dayOfWall(date) < today ? onDay(dayOfWall(date)) : onSlot(dayOfWall(date), dayOfWall(date))
        }
      />
    </div>
  )
}

/** Classes that keep all-day entries visible while the hours scroll. */
const weekCss = { weekViewHeader: css.weekHeader ?? '', weekViewAllDaySlots: css.weekWhole ?? '' }

/** Renders an entry in the colour of its kind. */
function renderEvent(event: ScheduleEventData, props: object) {
  const { payload } = event
  return <UnstyledButton {...props} data-kind={payload?.kind} />
}
