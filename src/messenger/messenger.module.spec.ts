import { Global, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { BotApiServer } from '../../test/support/servers/bot-api-server.js';
import { Clock, SystemClock } from '../platform/clock.js';
import { Metrics } from '../platform/observability/metrics.js';
import { Messenger } from './messenger.js';
import { MessengerModule } from './messenger.module.js';
import { SendRate } from './send-rate.js';

@Injectable()
class Sender {
  constructor(
    readonly messenger: Messenger,
    readonly rate: SendRate,
  ) {}
}

/** Like the shop's own modules, it does not import MessengerModule. */
@Module({ providers: [Sender], exports: [Sender] })
class SenderModule {}

@Global()
@Module({
  providers: [
    { provide: Metrics, useFactory: () => new Metrics() },
    { provide: Clock, useClass: SystemClock },
  ],
  exports: [Metrics, Clock],
})
class FiguresModule {}

describe('MessengerModule', () => {
  let server: BotApiServer;
  beforeAll(async () => void (server = await BotApiServer.start()));
  afterAll(() => server.close());

  it('gives every module the messenger at the configured address, and one send rate', async () => {
    const app = await Test.createTestingModule({
      imports: [MessengerModule.with(server.apiRoot), SenderModule, FiguresModule],
    }).compile();
    const sender = app.get(Sender, { strict: false });
    const token = `1234567890:${'x'.repeat(35)}`;
    expect(await sender.messenger.identify(token)).toMatchObject({ botId: '1234567890' });
    expect(sender.rate).toBe(app.get(SendRate, { strict: false }));
    expect(await app.get(Metrics).text()).toContain('shop_messenger_calls_total{outcome="ok"} 1\n');
    await app.close();
  });
});
