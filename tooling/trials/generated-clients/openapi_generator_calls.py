# Five calls and a refusal, with the package that openapi-generator generates. It prints what it was answered.
import json
import os
from uuid import UUID

from headgate_api import (
    ApiClient,
    ApiException,
    Configuration,
    DashboardCreate,
    DashboardsApi,
    OrganizationsApi,
    PipeCreate,
    PipesApi,
)

given = json.loads(os.environ["CALLS"])
organization, service = UUID(given["organizationId"]), UUID(given["serviceId"])


def client(token=given["token"]):
    return ApiClient(
        Configuration(
            host=given["url"], username=given["keyId"], password=given["keySecret"], access_token=token
        )
    )


own = OrganizationsApi(client()).organization_get(organization).result
kafka = {"type": "kafka", "format": "JSONEachRow", "brokers": "b.example.com:9092", "topics": "orders"}
destination = {
    "database": "default",
    "table": "orders",
    "managedTable": True,
    "columns": [{"name": "id", "type": "UInt64"}],
}
pipe = PipeCreate.from_dict(
    {"name": "orders", "source": {"kafka": kafka}, "destination": destination, "scaling": {"replicas": 2}}
)
pipes = PipesApi(client())
created = pipes.pipe_create(organization, service, pipe).result
read = pipes.pipe_get(organization, service, created.id).result
tile = {"name": "Read me", "x": 0, "y": 0, "w": 4, "h": 2, "config": {"displayType": "markdown", "markdown": "# Hello"}}
dashboards = DashboardsApi(client())
made = dashboards.dashboard_create(DashboardCreate.from_dict({"name": "Night shift", "tiles": [tile]})).data
listed = dashboards.dashboard_list().data
try:
    refused = DashboardsApi(client("none")).dashboard_list()
except ApiException as exception:
    refused = [exception.status, exception.body]

print(
    json.dumps(
        {
            "organization": own.name,
            "topics": read.source.kafka.topics,
            "replicas": read.scaling.replicas,
            "hasState": len(read.to_dict()["state"]) > 0,
            "tile": made.to_dict()["tiles"][0]["config"],
            "dashboards": [one.name for one in listed],
            "refused": refused,
        }
    )
)
