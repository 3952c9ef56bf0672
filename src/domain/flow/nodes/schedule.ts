import { APPOINTMENTS, type Appointment, momentOfAppointment } from '../appointment.ts'
import type { FlowMedia } from '../flow.ts'
import { isSet, numberOf, textOf } from '../json.ts'
import { countMessage, effect, rendered } from '../run.ts'
import { readMedia, within } from './fields.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    /** Scheduled message with an optional file. */
    schedule: { readonly text: string; readonly media: FlowMedia | null; readonly when: Appointment }
  }
}

declare module '../session.ts' {
  interface Effects {
    schedule: { readonly body: string; readonly media: FlowMedia | null; readonly when: Appointment }
  }
}

const MOST_WAIT_MINUTES = 24 * 60

/** Schedules a message as it reads now. */
export const schedule: NodeKind<'schedule'> = {
  types: {
    ScheduleField: {
      label: 'Agenda',
      form: [
        {
          key: 'scheduleType',
          kind: 'choice',
          label: 'Quando',
          usual: '1_hour',
          options: [
            ['30_mins', 'Em 30 minutos'],
            ['1_hour', 'Em 1 hora'],
            ['tomorrow', 'Amanhã, no mesmo horário'],
            ['next_week', 'Em uma semana'],
            ['next_month', 'Em um mês'],
            ['custom', 'Em uma data'],
          ],
        },
        {
          key: 'scheduleDate',
          kind: 'moment',
          label: 'Dia e horário',
          when: ({ scheduleType }) => textOf(scheduleType) === 'custom',
        },
        { key: 'delayBeforeSend', kind: 'number', label: 'Minutos a mais', min: 0, max: 1440, usual: 0 },
        { key: 'scheduleMessage', kind: 'template', label: 'Mensagem agendada' },
        { key: 'fileId', kind: 'file', label: 'Arquivo' },
        { key: 'includeContactInfo', kind: 'switch', usual: false, label: 'Incluir nome e número do contato' },
      ],
    },
  },
  read: (fields) => ({
    // Adds the contact's data below the text.
    text: [textOf(fields['scheduleMessage']), isSet(fields['includeContactInfo']) ? '{{name}}\n{{phoneNumber}}' : '']
      .filter((part) => part.trim() !== '')
      .join('\n\n'),
    media: [fields['fileId'], fields['media'], fields['mediaUrl']].some(textOf) ? readMedia(fields) : null,
    when: {
      type: APPOINTMENTS.find((name) => name === fields['scheduleType']) ?? 'custom',
      date: textOf(fields['scheduleDate']).trim(),
      delayMs: within(numberOf(fields['delayBeforeSend']) ?? 0, 0, MOST_WAIT_MINUTES) * 60_000,
    },
  }),
  texts: ({ text }) => [text],
  check: ({ media, when }, { fileIds }) => [
    ...(media && !fileIds.has(media.fileId ?? '')
      ? [['missingFile', 'envia um arquivo que não está guardado: escolha o arquivo de novo.'] as const]
      : []),
    ...(momentOfAppointment(when, 0, 'UTC') === null
      ? [['missingTime', 'agenda uma mensagem sem dizer para quando.'] as const]
      : []),
  ],
  perform(run, { text, media, when }) {
    const body = rendered(run, text).trim()
    if ((body !== '' || media) && countMessage(run))
      effect(run, { type: 'schedule', body, media: media?.fileId ? media : null, when })
  },
}
