import { join } from 'node:path'
import { openMobile } from '#test/channels/sms-end.ts'
import { channelSuite } from '#test/channels/suite.ts'
import { smsConfig } from './config.ts'

channelSuite(smsConfig, join(import.meta.dirname, 'recorded', 'twilio'), openMobile('twilio'))
