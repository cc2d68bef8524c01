# Five calls and a refusal, with the package that openapi-python-client generates. It prints what it was answered.
import base64
import json
import os
from uuid import UUID

from headgate_api import AuthenticatedClient
from headgate_api.api.dashboards import dashboard_create, dashboard_list
from headgate_api.api.organizations import organization_get
from headgate_api.api.pipes import pipe_create, pipe_get
from headgate_api.models import (
    DashboardCreate,
    Destination,
    DestinationColumn,
    KafkaSourceCreate,
    MarkdownChart,
    MarkdownChartDisplayType,
    NewPipeSource,
    PipeCreate,
    ScalingUpdate,
    TileCreate,
)

given = json.loads(os.environ["CALLS"])
organization, service = UUID(given["organizationId"]), UUID(given["serviceId"])


def client(token, prefix="Bearer"):
    return AuthenticatedClient(given["url"], token, prefix, raise_on_unexpected_status=True)


basic = base64.b64encode(f"{given['keyId']}:{given['keySecret']}".encode()).decode()
management, observability = client(basic, "Basic"), client(given["token"])

own = organization_get.sync(organization, client=management).result
kafka = KafkaSourceCreate(type_="kafka", format_="JSONEachRow", brokers="b.example.com:9092", topics="orders")
destination = Destination(
    database="default", table="orders", managed_table=True, columns=[DestinationColumn(name="id", type_="UInt64")]
)
pipe = PipeCreate(
    name="orders", source=NewPipeSource(kafka=kafka), destination=destination, scaling=ScalingUpdate(replicas=2)
)
created = pipe_create.sync(organization, service, client=management, body=pipe).result
read = pipe_get.sync(organization, service, created.id, client=management).result
text = MarkdownChart(display_type=MarkdownChartDisplayType.MARKDOWN, markdown="# Hello")
dashboard = DashboardCreate(name="Night shift", tiles=[TileCreate(name="Read me", x=0, y=0, w=4, h=2, config=text)])
made = dashboard_create.sync(client=observability, body=dashboard).data
listed = dashboard_list.sync(client=observability).data
refused = dashboard_list.sync_detailed(client=client("none"))

print(
    json.dumps(
        {
            "organization": own.name,
            "topics": read.source.kafka.topics,
            "replicas": read.scaling.replicas,
            "hasState": len(read.state) > 0,
            "tile": made.tiles[0].config.to_dict(),
            "dashboards": [one.name for one in listed],
            "refused": [refused.status_code, refused.parsed],
        }
    )
)
