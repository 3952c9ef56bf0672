import { channelSuite } from '#test/channels/suite.ts'
import { openDirect } from '#test/meta-person.ts'
import { messengerConfig } from '../config.ts'

channelSuite(messengerConfig, import.meta.dirname, openDirect('messenger'))
