import { Button, FileButton, Textarea } from '@mantine/core'
import { useDidUpdate } from '@mantine/hooks'
import { type RefObject, useRef } from 'react'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import { Tray } from '#features/messages/web/composer/Tray.tsx'
import {
  type Attachment,
  attachAll,
  type FileAbilities,
  reattach,
  want,
} from '#features/messages/web/outbox/attachments.ts'
import { t } from '#web/t.ts'
import { AttachIcon, VariableIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { useOwnVariables, useUnknownVariables, withVariable } from '#web/variables.ts'
import css from './schedule.module.css'

type Files = readonly Attachment[]

/** Editor of a scheduled message: text with variables, filled in when sent, and files. */
export function ScheduleText(props: {
  body: string
  onBody: (body: string) => void
  error: string | undefined
  takesFocus: boolean
  files: Files
  onFiles: (next: (files: Files) => Files) => void
  /** File abilities of the channel. */
  abilities: FileAbilities
  /** Name of the file of an existing scheduled message, which cannot be changed. */
  fileName: string | null
}) {
  const { body, onBody, error, takesFocus, files, onFiles, abilities, fileName } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const unknown = useUnknownVariables([body, ...files.map(({ caption }) => caption)].join('\n'))
  useDidUpdate(() => onFiles((all) => all.map((one) => reattach(one, abilities))), [abilities])
  return (
    <div className={css.message}>
      <Textarea
        ref={area}
        data-autofocus={takesFocus || undefined}
        label={t('Mensagem')}
        description={body.includes('{{') ? t('As variáveis são preenchidas na hora do envio.') : undefined}
        autosize
        minRows={2}
        maxRows={8}
        value={body}
        error={error ?? unknown}
        onChange={(event) => onBody(event.currentTarget.value)}
      />
      <TextTools onBody={onBody} body={body} area={area} abilities={abilities} fileName={fileName} onFiles={onFiles} />
      {fileName !== null && <p className={css.files}>{t('Com {files}', { files: fileName })}</p>}
      {files.length > 0 && (
        <Tray files={files} onChange={onFiles} onWish={(file, wish) => void want(file, wish, abilities, onFiles)} />
      )}
    </div>
  )
}

function TextTools(props: {
  onBody: (body: string) => void
  body: string
  area: RefObject<HTMLTextAreaElement | null>
  abilities: FileAbilities
  fileName: string | null
  onFiles: (next: (files: Files) => Files) => void
}) {
  const { onBody, body, area, abilities, fileName, onFiles } = props
  const own = (useOwnVariables() ?? []).map(({ name, label }) => [name, label] as const)
  const variables = [...own, ...Object.entries(TEMPLATE_VARIABLES)]
  const insert = (name: string) => {
    onBody(withVariable(body, area.current, name))
    setTimeout(() => area.current?.focus())
  }
  return (
    <div className={css.tools}>
      <CommandMenu
        commands={variables.map(([name, label]) => ({ id: name, label, run: () => insert(name) }))}
        position="bottom-start"
        target={
          <Button variant="default" size="sm" leftSection={<VariableIcon size={15} />}>
            {t('Inserir uma variável')}
          </Button>
        }
      />
      {Object.keys(abilities.files).length > 0 && fileName === null && (
        <FileButton
          multiple
          onChange={(added) => onFiles((all) => [...all, ...attachAll(added, all.length, abilities)])}
        >
          {(button) => (
            <Button {...button} variant="default" size="sm" leftSection={<AttachIcon size={15} />}>
              {t('Anexar arquivo')}
            </Button>
          )}
        </FileButton>
      )}
    </div>
  )
}
