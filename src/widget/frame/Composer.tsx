import type { TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Quote } from './bubble.tsx'
import { useCell } from './cell.ts'
import type { Chat, ChatState } from './chat.ts'
import { sizeText } from './format.ts'
import { Icon } from './Icon.tsx'
import { t } from './labels.ts'
import type { Tray } from './tray.ts'

const Files = ({ tray }: { tray: Tray }) => (
  <ul class="tray" aria-label={t('Anexos')}>
    {tray.files.map((file, index) => (
      <li key={file.name + index}>
        <span>{file.name}</span>
        <small>{sizeText(file.size)}</small>
        <button type="button" aria-label={t('Remover {name}', { name: file.name })} onClick={() => tray.remove(file)}>
          <Icon name="close" size={14} />
        </button>
      </li>
    ))}
  </ul>
)

/** Composer of the visitor: Enter sends, Shift+Enter breaks the line, files by button, paste or drop. */
export const Composer = ({ chat, tray }: { chat: Chat; tray: Tray }) => {
  const state = useCell(chat.state)
  const { config, quoting, editing } = state
  const { field, text, canSend, write, endEdit, send } = useWriting(chat, state, tray)
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape' && (quoting || editing)) {
      event.stopPropagation()
      if (editing) endEdit()
      else chat.quote(null)
    }
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <p class="problem" role="alert">
        {tray.problem}
      </p>
      <About chat={chat} quoting={quoting} editing={editing} endEdit={endEdit} />
      {tray.files.length > 0 && <Files tray={tray} />}
      <div class="box">
        <Attach tray={tray} accept={config.upload.accept} />
        <textarea
          ref={field}
          rows={1}
          maxLength={4096}
          value={text}
          placeholder={tray.files.length > 0 ? t('Legenda') : t('Escreva sua mensagem')}
          aria-label={t('Mensagem')}
          enterkeyhint="send"
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const files = event.clipboardData?.files
            if (!files?.length) return
            event.preventDefault()
            tray.add(files)
          }}
        />
        <button type="submit" class="round" aria-label={t('Enviar')} aria-disabled={!canSend}>
          <Icon name="send" size={18} />
        </button>
      </div>
    </form>
  )
}

/** Text of the message: its draft, its edit, its sending, and the focus and height of the field. */
const useWriting = (chat: Chat, { isOpen, wantsFocus, quoting, editing }: ChatState, tray: Tray) => {
  const [text, setText] = useState(chat.draft.get())
  const field = useRef<HTMLTextAreaElement>(null)
  const canSend = text.trim() !== '' || tray.files.length > 0

  useLayoutEffect(() => {
    const area = field.current as HTMLTextAreaElement
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
  })
  useEffect(() => {
    if (isOpen && wantsFocus && matchMedia('(pointer:fine)').matches) field.current?.focus()
  }, [isOpen, wantsFocus])

  useEffect(() => {
    if (quoting || editing) field.current?.focus()
  }, [quoting, editing])
  useEffect(() => {
    if (editing) setText(editing.body)
  }, [editing])

  const write = (value: string) => {
    setText(value)
    // The draft from before is still there after the edit.
    if (editing) return
    chat.draft.set(value)
    chat.type(value !== '')
  }
  const endEdit = () => {
    chat.edit(null)
    setText(chat.draft.get())
  }
  const send = () => {
    if (!canSend) return
    if (editing) {
      chat.act(editing, { act: 'edit', body: text.trim() })
      return endEdit()
    }
    chat.send(text.trim(), tray.files)
    write('')
    tray.clear()
    field.current?.focus()
  }
  return { field, text, canSend, write, endEdit, send }
}

/** Message that is being edited, and the one that is quoted. */
const About = (props: { chat: Chat; endEdit: () => void } & Pick<ChatState, 'quoting' | 'editing'>) => {
  const { chat, endEdit, quoting, editing } = props
  return (
    <>
      {editing && (
        <div class="quote">
          <b>{t('Editando')}</b>
          <span>{editing.body}</span>
          <button type="button" aria-label={t('Não editar')} onClick={endEdit}>
            <Icon name="close" size={16} />
          </button>
        </div>
      )}
      {quoting && (
        <div class="quote">
          <Quote quoted={quoting} />
          <button type="button" aria-label={t('Não responder a esta mensagem')} onClick={() => chat.quote(null)}>
            <Icon name="close" size={16} />
          </button>
        </div>
      )}
    </>
  )
}

/** Button that adds files to the tray. */
const Attach = ({ tray, accept }: { tray: Tray; accept: readonly string[] }) => {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" class="tool" aria-label={t('Anexar arquivo')} onClick={() => picker.current?.click()}>
        <Icon name="attach" />
      </button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        accept={accept.join()}
        onChange={(event) => {
          tray.add(event.currentTarget.files ?? [])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
