// The kind of service that tutorials lead to: Nest with Express, TypeORM repositories with relations, a
// validation pipe, and a guard that looks up a token.
import 'reflect-metadata';
import { createHash } from 'node:crypto';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Query,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { IsIn } from 'class-validator';
import type { Request } from 'express';
import {
  Column,
  DataSource,
  Entity,
  LessThan,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Repository,
} from 'typeorm';

const STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'];
const hash = (token: string) => createHash('sha256').update(token).digest('hex');

@Entity('tokens')
class Token {
  @PrimaryColumn('text') hash: string;
}

@Entity('products')
class Product {
  @PrimaryColumn('text') id: string;
  @Column('text') title: string;
  @Column('integer') price: number;
}

@Entity('orders')
class Order {
  @PrimaryGeneratedColumn() id: number;
  @Column('text') status: string;
  @Column('text') paymentMethod: string;
  @Column('integer') totalPrice: number;
  @Column('text') currency: string;
  @Column('text') customerId: string;
  @Column('jsonb') shippingAddress: object;
  @Column('jsonb') checkoutData: object;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;
  @OneToMany('OrderItem', 'order', { cascade: true }) items: OrderItem[];
}

@Entity('order_items')
class OrderItem {
  @PrimaryGeneratedColumn() id: number;
  @ManyToOne('Order', 'items') order: unknown;
  @Column('text') productId: string;
  @Column('text') title: string;
  @Column('integer') quantity: number;
  @Column('integer') price: number;
}

class StatusInput {
  @IsIn(STATUSES) status: string;
}

@Injectable()
class TokenGuard implements CanActivate {
  constructor(@InjectRepository(Token) private readonly tokens: Repository<Token>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { authorization = '' } = context.switchToHttp().getRequest<Request>().headers;
    if (await this.tokens.findOneBy({ hash: hash(authorization.replace('Bearer ', '')) })) return true;
    throw new UnauthorizedException();
  }
}

@Controller('orders')
@UseGuards(TokenGuard)
class OrdersController {
  constructor(@InjectRepository(Order) private readonly orders: Repository<Order>) {}

  @Get(':id')
  async get(@Param('id', ParseIntPipe) id: number): Promise<Order> {
    const order = await this.orders.findOne({ where: { id }, relations: { items: true } });
    if (!order) throw new NotFoundException();
    return order;
  }

  @Get()
  list(@Query('before', ParseIntPipe) before: number): Promise<Order[]> {
    return this.orders.find({
      where: { id: LessThan(before) },
      relations: { items: true },
      order: { id: 'DESC' },
      take: 20,
    });
  }

  @Patch(':id')
  async change(@Param('id', ParseIntPipe) id: number, @Body() { status }: StatusInput): Promise<Order> {
    const order = await this.get(id);
    return this.orders.save(Object.assign(order, { status, updatedAt: new Date() }));
  }
}

const ENTITIES = [Token, Product, Order, OrderItem];

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env.DATABASE_URL,
      entities: ENTITIES,
      synchronize: true,
    }),
    TypeOrmModule.forFeature(ENTITIES),
  ],
  controllers: [OrdersController],
})
class AppModule {}

async function seed(source: DataSource, products: number, orders: number): Promise<void> {
  await source.getRepository(Token).save({ hash: hash(process.env.TOKEN!) });
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
  const productOf = (n: number) => ({
    id: `prod-${n % products}`,
    title: `Product title number ${n % products}`,
    price: 500,
  });
  await source.getRepository(Product).save(numbers(products).map(productOf), { chunk: 500 });
  const now = new Date();
  const orderOf = (n: number) => ({
    ...{
      status: 'PENDING',
      paymentMethod: 'card',
      totalPrice: 1000 + (n % 9000),
      currency: 'USD',
      customerId: String(1 + (n % 50)),
    },
    shippingAddress: { name: 'Shopper', phone_number: '+15550100' },
    checkoutData: [{ id: 'email', label: 'E-mail', type: 'email', value: 'shopper@example.com' }],
    ...{ createdAt: now, updatedAt: now },
    items: numbers(1 + (n % 3)).map((quantity) => ({
      productId: productOf(n).id,
      title: productOf(n).title,
      quantity,
      price: 500,
    })),
  });
  await source.getRepository(Order).save(numbers(orders).map(orderOf), { chunk: 500 });
}

const app = await NestFactory.create(AppModule, { logger: ['error'] });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }));
if (process.argv[2] === 'seed') {
  await seed(app.get(DataSource), Number(process.env.PRODUCTS), Number(process.env.ORDERS));
  await app.close();
} else {
  await app.listen(Number(process.env.PORT), '127.0.0.1');
  process.stdout.write('ready\n');
}
